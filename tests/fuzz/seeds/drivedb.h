/* A drive database of the form of smartmontools', for the fuzzers. */
  { "VERSION: 1", "-", "-", "fuzz", "" },
  { "DEFAULT", "-", "-", "",
    "-v 1,raw48,Raw_Read_Error_Rate -v 3,raw16(avg16),Spin_Up_Time "
    "-v 4,raw48,Start_Stop_Count -v 5,raw16(raw16),Reallocated_Sector_Ct "
    "-v 7,raw48,Seek_Error_Rate,HDD -v 9,raw24(raw8),Power_On_Hours "
    "-v 10,raw48,Spin_Retry_Count -v 12,raw48,Power_Cycle_Count "
    "-v 177,raw48,Wear_Leveling_Count,SSD -v 187,raw48,Reported_Uncorrect "
    "-v 190,tempminmax,Airflow_Temperature_Cel -v 193,raw48,Load_Cycle_Count,HDD "
    "-v 194,tempminmax,Temperature_Celsius -v 197,raw48,Current_Pending_Sector "
    "-v 198,raw48,Offline_Uncorrectable -v 199,raw48,UDMA_CRC_Error_Count "
    "-v 241,raw48,Total_LBAs_Written -v 242,raw48,Total_LBAs_Read "
  },
  { "USB: a bridge", "0x1234:0x(5678|9abc)", "", "", "-d sat" },
  { "Fuzzed drives", // as in the seeds
    "SanDisk SDSSDHP(064|128|256)G|"
    "SDLF(CCYR|NCA[MR])-[0-9]{3}G-1...",
    "", "",
    "-v 166,raw48,Min_W/E_Cycle -v 230,hex56,Percent_Lifetime_Used "
    "-v 233,raw64:543210,NAND_Writes_GiB -v 241,raw48,Host_Writes_GiB "
  },
